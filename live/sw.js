// A live page that was run once opens again without a network. What is in the versioned
// folder never changes, so it is kept; everything else is asked for anew, and kept for
// the time when nobody answers. When the folder has gone from the server there is a new
// edition: what was kept goes, too, and so does this script.
const EDITION = "LIVE"; // tools/live.py writes the name of the folder
const { scope } = self.registration;
const folder = new URL(`_static/${EDITION}/`, scope).href;
const store = `${scope} ${EDITION}`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(begin()));

async function begin() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(`${scope} `) && name !== store);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

// What a page had asked for before this script was at work.
self.addEventListener("message", (event) => {
  const wanted = event.data.filter((url) => url.startsWith(scope));
  const keep = async (url) => (await kept(url)) ?? fetched(new Request(url));
  event.waitUntil(Promise.allSettled(wanted.map(keep)));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const ours = request.url.startsWith(scope);
  if (request.method !== "GET" || !ours || request.cache === "no-store") return;
  const asks = request.url.startsWith(folder) ? keptFirst : askedFirst;
  event.respondWith(asks(request));
  if (request.mode === "navigate") event.waitUntil(leaveIfOld());
});

const kept = (request) => caches.match(request, { ignoreSearch: true });

async function fetched(request) {
  const answer = await fetch(request);
  const copy = answer.clone();
  // A full disk is no reason to show nothing.
  if (answer.status === 200)
    caches
      .open(store)
      .then((cache) => cache.put(request, copy))
      .catch(() => {});
  return answer;
}

async function keptFirst(request) {
  return (await kept(request)) ?? fetched(request);
}

async function askedFirst(request) {
  try {
    return await fetched(request);
  } catch (error) {
    const known = await kept(request);
    if (known) return known;
    throw error;
  }
}

async function leaveIfOld() {
  const answer = await fetch(`${folder}button.js`, { method: "HEAD", cache: "no-store" }).catch(
    () => null,
  );
  if (answer?.status !== 404) return;
  await caches.delete(store);
  await self.registration.unregister();
}
