import { contextBridge, ipcRenderer } from 'electron';
import { CONNECT } from '../../src-shared/desktop-channel.ts';

// All that the page gets: where it runs, and a port to the node. What goes through the port is the operator contract.
contextBridge.exposeInMainWorld('paydesk', { host: 'desktop' });

window.addEventListener('message', (event) => {
  if (event.source !== window || event.origin !== location.origin || event.data !== CONNECT) return;
  const [port] = event.ports;
  if (port !== undefined) ipcRenderer.postMessage(CONNECT, null, [port]);
});
