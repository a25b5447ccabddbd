import { stepCookie } from './step-cookie.ts';

/** A sign-in by the organisation, until its person is back. */
export const providerAttempt = stepCookie('provider-attempt');
