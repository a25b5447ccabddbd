import { fileURLToPath } from 'node:url';

/** The script of the API reference. Apart from the application's assets: only who opens `/api/docs` loads it. */
export const API_REFERENCE = fileURLToPath(new URL('./build/api-reference/reference.js', import.meta.url));
