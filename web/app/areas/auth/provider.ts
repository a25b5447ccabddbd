import { stepCookie } from './step-cookie.ts';

/** Kept while the person signs in at the organisation. */
export const providerAttempt = stepCookie('provider-attempt');
