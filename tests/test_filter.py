"""The filter of live pages: an output names no other place, however it is spelt."""

import json
import re
import shutil

import pytest
from helpers import ROOT, run

SCRIPT = """
const allowed = REGEXP;
const here = "https://book.example/course/page.html";
const blanks = /[\\u0000-\\u0020\\u00a0]/g;  // which DOMPurify takes out before
const seen = ADDRESSES.map((uri) => {
  let away = true;
  try { away = new URL(uri, here).origin !== "https://book.example"; } catch {}
  return [allowed.test(uri.replace(blanks, "")), away];
});
console.log(JSON.stringify(seen));
"""
ABROAD = [
    "//evil.com", r"/\evil.com", r"\\evil.com", r"\/evil.com", "/\t/evil.com",
    "\n//evil.com", "https://evil.com", "HTTPS://evil.com", "javascript:alert(1)",
    "data:text/html,x",
]  # fmt: skip
AT_HOME = [
    "page.html#part",
    "#part",
    "/course/page.html",
    "../page.html",
    "?q=1",
    "a/b",
]


@pytest.mark.skipif(not shutil.which("node"), reason="no node to run the script")
def test_no_address_of_another_place_passes_the_filter_of_live_pages():
    source = (ROOT / "live" / "page.js").read_text("utf-8")
    (regexp,) = re.findall(r"ALLOWED_URI_REGEXP = (/.*/i);", source)
    script = SCRIPT.replace("REGEXP", regexp)
    script = script.replace("ADDRESSES", json.dumps(ABROAD + AT_HOME))
    seen = json.loads(run(["node", "-e", script]))
    assert seen == [[False, True]] * len(ABROAD) + [[True, False]] * len(AT_HOME)
