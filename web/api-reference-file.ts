import { fileURLToPath } from 'node:url';

/** The script of the API reference. Kept out of the application's assets because only `/api/docs` loads it. */
export const API_REFERENCE = fileURLToPath(new URL('./build/api-reference/reference.js', import.meta.url));
