import { Link } from 'react-router';
import type { DemoContent } from '@officium/contract/demo-content';
import type { SitePageKind } from '@officium/contract/site';
import type { SiteSettings } from '@officium/contract/site-settings';
import type { SetupStep } from '@officium/contract/site-setup';
import { endonymOf, type Locale } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { Demo } from './demo-content.tsx';
import { LanguageFields } from './language-fields.tsx';
import { ServerSettings } from './server-settings.tsx';
import { PAGE_NAMES } from './site-frame.tsx';
import { Logos } from './site-logos.tsx';
import { ColourField, ContactField, NameField } from './site-look.tsx';
import { TestMail } from './test-mail.tsx';

type Props = {
  step: SetupStep;
  settings: SiteSettings;
  server: ServerSettings;
  pages: { kind: SitePageKind; written: Locale[] }[];
  /** null: another step. */
  demo: DemoContent | null;
};

/** Whether the step saves something; the others have forms or pages of their own. */
export const hasFields = (step: SetupStep) => ['name', 'colour', 'languages'].includes(step);

/** The fields that are saved with the step. */
export function StepFields({ step, settings }: Props) {
  if (step === 'name')
    return (
      <>
        <NameField settings={settings} />
        <ContactField settings={settings} />
      </>
    );
  if (step === 'colour') return <ColourField settings={settings} />;
  return step === 'languages' ? <LanguageFields settings={settings} /> : null;
}

/** Steps with a form or a page of their own. */
export function StepAside({ step, settings, server, pages, demo }: Props) {
  if (step === 'name') return <ServerSettings settings={server} names={['PROVIDER_NAME', 'PUBLIC_URL']} />;
  if (step === 'logo') return <Logos settings={settings} />;
  if (step === 'sign-in') return <SignIn server={server} />;
  if (demo) return <Demo demo={demo} siteName={settings.shownName} />;
  if (step === 'mail') return <Mail server={server} />;
  return step === 'pages' ? <Pages pages={pages} /> : null;
}

function SignIn({ server }: Pick<Props, 'server'>) {
  const { t } = useText();
  return (
    <>
      <div>
        <p>{t('admin.setup_sign_in_text')}</p>
        <p>
          <Link to="/admin/approval" className="link inline-block py-1.5">
            {t('admin.approval')}
          </Link>
        </p>
      </div>
      <ServerSettings settings={server} names={['OIDC_ISSUER', 'OIDC_NAME', 'ADMIN_SECOND_FACTOR']} />
    </>
  );
}

function Mail({ server }: Pick<Props, 'server'>) {
  const { t } = useText();
  return (
    <>
      <p>{t('admin.setup_mail_text')}</p>
      <ServerSettings settings={server} names={['SMTP_URL', 'MAIL_FROM']} />
      <TestMail />
    </>
  );
}

function Pages({ pages }: Pick<Props, 'pages'>) {
  const { t, list } = useText();
  return (
    <div>
      <p>{t('admin.setup_pages_text')}</p>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {pages.map(({ kind, written }) => (
          <li key={kind} className="flex min-h-12 flex-wrap items-center justify-between gap-x-6">
            <Link to={`/admin/site/pages/${kind}`} className="link py-2.5">
              {t(PAGE_NAMES[kind])}
            </Link>
            <span className="text-muted">
              {written.length > 0
                ? t('admin.site_page_written', { languages: list(written.map(endonymOf)) })
                : t('admin.setup_outcome_open')}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
