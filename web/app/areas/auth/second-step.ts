import { redirect } from 'react-router';
import type { Failure } from '../../api.ts';

const COOKIE = 'second-step';

/** Where a sign-in goes on that needs a second factor. What it begins with is kept from scripts and addresses. */
export function toSecondStep({ challenge = '', methods = [] }: Failure, next: string, origin: string): Response {
  const query = new URLSearchParams({ by: methods.join(' '), next });
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return redirect(`/login/second?${query}`, {
    headers: {
      'set-cookie': `${COOKIE}=${encodeURIComponent(challenge)}; Path=/login; Max-Age=600; HttpOnly; SameSite=Lax${secure}`,
    },
  });
}

export function challengeIn(cookies: Record<string, string | undefined>): string {
  return cookies[COOKIE] ?? '';
}

export const isOwed = ({ code }: Failure) => code === 'auth.second_factor_required';
