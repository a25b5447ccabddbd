import { getSystemErrorName } from 'node:util';

/** `advice` works and deserves a change; only `wrong` makes the command fail. */
export type Soundness = 'right' | 'advice' | 'wrong';

/** One thing that was checked. No field may contain a secret. */
export type Diagnosis = {
  /** The name of a setting, or what else was checked. */
  about: string;
  verdict: Soundness;
  message: string;
  remedy?: string;
};

export const right = (about: string, message: string): Diagnosis => ({ about, verdict: 'right', message });
export const advice = (about: string, message: string, remedy: string): Diagnosis => ({
  about,
  verdict: 'advice',
  message,
  remedy,
});
export const wrong = (about: string, message: string, remedy: string): Diagnosis => ({
  about,
  verdict: 'wrong',
  message,
  remedy,
});

/**
 * The code of a network, TLS or database error, such as `ECONNREFUSED`; also of the error that caused it. The mail client
 * hides it behind `ESOCKET`.
 */
export function codeOf(error: unknown): string {
  const { code, errno, message, cause } = error as {
    code?: unknown;
    errno?: unknown;
    message?: string;
    cause?: unknown;
  }; // only read
  if (code === 'ESOCKET' && typeof errno === 'number') return getSystemErrorName(errno);
  if (code === 'ESOCKET' && /certificate/i.test(message ?? '')) return 'ERR_TLS_CERT';
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : codeOf(cause);
}

const TLS = /CERT|SELF_SIGNED|ISSUER|SIGNATURE|ALTNAME|SSL|TLS|EPROTO/;

/** The reason for a failed connection in words, and what to do; never with the address, which may contain a password. */
export function explainConnection(error: unknown, setting: string): { reason: string; remedy: string } {
  const code = codeOf(error);
  const { name = '' } = error as { name?: string }; // only read
  if (code === 'ECONNREFUSED')
    return { reason: 'nothing listens there', remedy: `Start the service, or correct host and port in ${setting}.` };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EDNS')
    return { reason: 'its host name does not resolve', remedy: `Correct the host in ${setting}, or the DNS.` };
  if (TLS.test(code))
    return {
      reason: `its certificate is not valid (${code})`,
      remedy: 'Renew the certificate, or name the host it is issued for; NODE_EXTRA_CA_CERTS adds your own authority.',
    };
  if (/TIMEDOUT|TIMEOUT|ETIME/.test(code) || name === 'TimeoutError' || name === 'AbortError')
    return { reason: 'it does not answer', remedy: `Check the firewall and the address in ${setting}.` };
  return {
    reason: `the connection failed${code === '' ? '' : ` (${code})`}`,
    remedy: `Check that the service runs and ${setting}.`,
  };
}
