import { Menu, type NativeImage, nativeImage, Tray } from 'electron';
import { trayIcon } from './tray-icon.ts';
import { type TrayAction, type TrayState, trayModel } from './tray-model.ts';

/** The tray icon beside the system's clock. */
export interface TraySign {
  /** Shows what has changed and leaves the rest. */
  update(change: Partial<TrayState>): void;
}

/** Puts the icon there. @param act does what the operator clicks, on the icon or in its menu */
export function openTray(act: (action: TrayAction) => void): TraySign {
  const icons = { calm: image(false), attention: image(true) };
  let state: TrayState = { waiting: 0, ill: false, quittingAfter: undefined };
  const tray = new Tray(icons.calm);
  tray.on('click', () => act('open'));
  const show = () => {
    const { icon, tooltip, items } = trayModel(state);
    tray.setImage(icons[icon]);
    tray.setToolTip(tooltip);
    tray.setContextMenu(
      Menu.buildFromTemplate(
        items.map((item) => {
          if (item === 'separator') return { type: 'separator' };
          const { label, action } = item;
          return action === undefined ? { label, enabled: false } : { label, click: () => act(action) };
        }),
      ),
    );
  };
  show();
  return {
    update: (change) => {
      state = { ...state, ...change };
      show();
    },
  };
}

function image(attention: boolean): NativeImage {
  const icon = nativeImage.createEmpty();
  for (const scaleFactor of [1, 2]) {
    const size = 16 * scaleFactor;
    icon.addRepresentation({ width: size, height: size, scaleFactor, buffer: trayIcon(attention, size) });
  }
  return icon;
}
