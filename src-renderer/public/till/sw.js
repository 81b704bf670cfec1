// The service worker of paired tills. It keeps the page and its files, so that a till without a connection can say so.
// What was paid is asked by POST, which is never kept.
const SHELL = 'paydesk-till';
const PAGE = '/till/';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  // The page comes from the node whenever the node answers.
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => kept(PAGE)));
  // The names of these files say what is in them, so they never get old.
  else if (new URL(request.url).pathname.startsWith('/till/assets/'))
    event.respondWith(kept(request).then((file) => file ?? fetch(request)));
});

const kept = async (request) => (await caches.open(SHELL)).match(request, { ignoreSearch: true });
