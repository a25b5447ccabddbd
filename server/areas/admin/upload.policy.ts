/** Addresses placed by one job: small batches, so that other requests do not notice them. */
export const CHUNK_SIZE = 100;

/** Mails wait until the largest upload is placed, so that sending does not compete with it. */
const MAILS_AFTER_SECONDS = 120;

/** Seconds after which the mails of an upload of so many addresses begin to leave. */
export function mailsAfterSeconds(addresses: number): number {
  return addresses > CHUNK_SIZE ? MAILS_AFTER_SECONDS : 0;
}
