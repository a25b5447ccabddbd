/** Published in the README, so it is set only where nobody but this machine can reach the product. */
export const DEMO_PASSWORD = 'officium-demo-2026';

/** Whether this is the published password, in any equivalent Unicode form. */
export function isPublishedPassword(password: string): boolean {
  return password.normalize('NFKC') === DEMO_PASSWORD;
}
