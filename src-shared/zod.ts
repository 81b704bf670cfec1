/** The zod of this project; see typed-zod.ts. Nothing else imports the package. */
export * as z from './typed-zod.ts';
