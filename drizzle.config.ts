import { defineConfig } from 'drizzle-kit';

export default defineConfig({ dialect: 'sqlite', schema: './src-main/**/tables.ts', out: './drizzle' });
