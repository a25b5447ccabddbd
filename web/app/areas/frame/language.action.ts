import { setLocale } from '@officium/contract/account';
import { addressOf } from '@officium/contract/client';
import { isLocale } from '@officium/i18n/locales';
import { fieldsOf, viewerOf } from '../../server/api.ts';
import { pageContext } from '../../server/page-context.ts';
import { redirect } from '../../server/redirect.ts';
import { safePath } from '../../server/safe-path.ts';
import type { Route } from './+types/language.action';

/** Sets the language of the visitor, and of their account if they have one. */
export async function action({ request, context }: Route.ActionArgs) {
  const fields = await fieldsOf(request);
  const wanted = fields.get('locale');
  const { languages, defaultLanguage } = context.get(pageContext).site;
  const locale = isLocale(wanted) && languages.includes(wanted) ? wanted : defaultLanguage;
  if (await viewerOf(context)) {
    // The account's language overrides the cookie. When that call fails or there is no account, only the cookie is set.
    const path = addressOf(setLocale, {});
    await context.get(pageContext).send({ method: setLocale.method, path, body: { locale } });
  }
  // A `?locale=` in the address would override the new choice.
  const next = new URL(safePath(fields.get('next')), 'http://here');
  next.searchParams.delete('locale');
  return redirect(next.pathname + next.search, {
    headers: { 'set-cookie': `locale=${locale}; Path=/; Max-Age=31536000; SameSite=Lax` },
  });
}

export function loader() {
  return redirect('/');
}
