"""Compile wheels and the standard library for the page; it runs in Pyodide itself.

Bytecode must fit the Python that runs it. The same files always give the same bytes.
"""

import importlib.util
import marshal
import os
import re
import sysconfig
import zipfile

# What no run reads: tests, headers, and data and fonts that the book does not use.
UNUSED = re.compile(
    r"(^|/)tests?/|\.(pyi|pxd|pyx|pxi|h|hpp|c|cpp|a|f|f90)$"
    r"|^matplotlib/mpl-data/(sample_data|images)/|^sklearn/datasets/images/"
    r"|^matplotlib/mpl-data/fonts/(?!ttf/DejaVuSans(-Bold|-Oblique)?\.ttf)"
    r"|^dateutil/zoneinfo/.*gz$"  # all of which pandas would read to know UTC
)
UNCHECKED = (1).to_bytes(4, "little") + bytes(8)  # the header of a trusted file


def compiled(path, source):
    """Return the bytes of a .pyc, in which the path is where the file will be."""
    code = compile(source, path, "exec", dont_inherit=True)
    return importlib.util.MAGIC_NUMBER + UNCHECKED + marshal.dumps(code)


def pack(source, target, keep):
    """Write a zip file again, with bytecode in place of, or beside, its sources."""
    files = {}
    library = "stdlib" if "stdlib" in source else "purelib"
    home = sysconfig.get_path(library)
    with zipfile.ZipFile(source) as old:
        for name in old.namelist():
            if name.endswith("/") or UNUSED.search(name):
                continue
            data = old.read(name)
            if name.endswith(".py"):
                if keep:
                    files[name] = data
                    place = importlib.util.cache_from_source(name)
                else:
                    place = f"{name}c"
                files[place] = compiled(f"{home}/{name}", data)
            else:
                files[name] = data
    with zipfile.ZipFile(target, "w") as new:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name)  # with a date that stays
            entry.external_attr = 0o644 << 16
            new.writestr(entry, files[name], zipfile.ZIP_DEFLATED, 9)


for name in sorted(os.listdir("/in")):
    pack(f"/in/{name}", f"/out/{name}", keep=name.startswith("online_"))
