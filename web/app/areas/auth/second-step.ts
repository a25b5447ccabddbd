import type { Failure } from '../../server/api.ts';
import { redirect } from '../../server/redirect.ts';
import { stepCookie } from './step-cookie.ts';

/** Cookie with the challenge of the second step. */
export const secondStep = stepCookie('second-step');

/** Redirects to the second step of a sign-in. */
export function toSecondStep({ challenge = '', methods = [] }: Failure, next: string, origin: string): Response {
  const query = new URLSearchParams({ by: methods.join(' '), next });
  return redirect(`/login/second?${query}`, { headers: { 'set-cookie': secondStep.set(challenge, origin) } });
}

export const isOwed = ({ code }: Failure) => code === 'auth.second_factor_required';
