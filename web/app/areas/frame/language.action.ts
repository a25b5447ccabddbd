import { setLocale } from '@officium/contract/account';
import { addressOf } from '@officium/contract/client';
import { DEFAULT_LOCALE, isLocale } from '@officium/i18n/locales';
import { fieldsOf, viewerOf } from '../../api.ts';
import { doorContext } from '../../door.ts';
import { redirect } from '../../redirect.ts';
import { safePath } from '../../safe-path.ts';
import type { Route } from './+types/language.action';

/** Sets the language of the visitor, and of their account when they have one. */
export async function action({ request, context }: Route.ActionArgs) {
  const fields = await fieldsOf(request);
  const wanted = fields.get('locale');
  const locale = isLocale(wanted) ? wanted : DEFAULT_LOCALE;
  if (await viewerOf(context)) {
    // An account's own language goes before the cookie's. Refused or absent, the cookie is all there is.
    const path = addressOf(setLocale, {});
    await context.get(doorContext).send({ method: setLocale.method, path, body: { locale } });
  }
  // A `?locale=` in the address would go before the choice just made.
  const next = new URL(safePath(fields.get('next')), 'http://here');
  next.searchParams.delete('locale');
  return redirect(next.pathname + next.search, {
    headers: { 'set-cookie': `locale=${locale}; Path=/; Max-Age=31536000; SameSite=Lax` },
  });
}

export function loader() {
  return redirect('/');
}
