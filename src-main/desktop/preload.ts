import { contextBridge, ipcRenderer } from 'electron';
import { CONNECT } from '../../src-shared/desktop-channel.ts';

// The page gets nothing but the name of its host and a port to the node. The operator contract goes through that port.
contextBridge.exposeInMainWorld('paydesk', { host: 'desktop' });

window.addEventListener('message', (event) => {
  if (event.source !== window || event.origin !== location.origin || event.data !== CONNECT) return;
  const [port] = event.ports;
  if (port !== undefined) ipcRenderer.postMessage(CONNECT, null, [port]);
});
