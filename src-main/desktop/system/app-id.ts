/**
 * How Windows knows the app: the installer writes it on the shortcuts, and notifications of a program that calls itself otherwise are not shown. The same
 * as `appId` in electron-builder.yml.
 */
export const APP_ID = 'app.paydesk.desktop';
