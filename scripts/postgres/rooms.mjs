// @ts-check

/** The driver and its tests, which need a PostgreSQL server. */
export const POSTGRES_DRIVER = 'src-main/platform/database/postgres';
