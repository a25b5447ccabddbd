import { stepCookie } from './step-cookie.ts';

/** Cookie kept while the user signs in at the organisation. */
export const providerAttempt = stepCookie('provider-attempt');
