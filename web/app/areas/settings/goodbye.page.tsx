import { load } from '../../server/api.ts';
import { redirect } from '../../server/redirect.ts';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/goodbye.page';

/** Shown after deleting an account; signed-in viewers are redirected. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer } = await load(request, context);
  return viewer ? redirect('/') : null;
}

export default function Goodbye() {
  const { t } = useText();
  return (
    <div className="page max-w-read py-16 md:py-24">
      <Head title={t('account.goodbye')} isPrivate />
      <h1 className="text-4xl">{t('account.goodbye')}</h1>
      <p className="mt-3 text-lg text-muted">{t('account.goodbye_text')}</p>
      <LinkButton to="/" look="secondary" className="mt-8">
        {t('account.goodbye_home')}
      </LinkButton>
    </div>
  );
}
