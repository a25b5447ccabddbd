import { isRouteErrorResponse, Outlet } from 'react-router';
import { DEFAULT_LOCALE, isLocale } from '@officium/i18n/locales';
import { addMessages } from '../../messages.ts';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { ErrorPage, kindOf } from '../../ui/error-page.tsx';
import { Narrow } from '../../ui/narrow.tsx';
import type { Route } from './+types/admin.layout';

/**
 * The server renders this layout because it has a loader: with a `clientLoader` alone, that would have to run first.
 */
export function loader(): null {
  return null;
}

/** Administration texts are a separate file, loaded before the first of these pages is shown. */
export async function clientLoader(): Promise<null> {
  const { lang } = document.documentElement;
  await addMessages(isLocale(lang) ? lang : DEFAULT_LOCALE, 'admin');
  return null;
}

export default function AdminLayout() {
  return <Outlet />;
}

const isFactorMissing = (error: unknown) =>
  isRouteErrorResponse(error) && (error.data as { code?: string } | null)?.code === 'auth.second_factor_missing'; // load.ts throws it

/** Tells administrators without a required second factor how to set one up. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { t } = useText();
  if (!isFactorMissing(error)) return <ErrorPage kind={kindOf(error)} />;
  return (
    <Narrow title={t('account.security')} intro={<p>{t('errors.auth.second_factor_missing')}</p>}>
      <LinkButton to="/me/settings/security">{t('account.security')}</LinkButton>
    </Narrow>
  );
}
