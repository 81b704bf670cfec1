/**
 * The id by which Windows knows the app. The installer writes it on the shortcuts, and Windows shows notifications only
 * of a program with the same id. It is the `appId` of electron-builder.yml.
 */
export const APP_ID = 'app.paydesk.desktop';
