import { Link } from 'react-router';
import type { SitePageKind } from '@officium/contract/site';
import type { FrameSite } from '../root-data.ts';
import { useSite } from '../site.ts';
import { addressOfPage } from '../site-page.ts';
import { useText } from '../text.tsx';
import { Brand } from './brand.tsx';
import { LanguageList } from './language-menu.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

const LINK = 'link inline-block py-1.5';

/** The page footer. */
export function Footer() {
  const { t } = useText();
  return (
    <footer className="no-print mt-auto border-t border-line bg-sunk pb-20 md:pb-0">
      <div className="page grid gap-8 py-10 md:grid-cols-[1fr_1.4fr]">
        <div>
          <p className="flex items-center">
            <Brand isSmall />
          </p>
          <Note />
          <Links />
        </div>
        <div>
          <h2 className="mb-1 font-sans text-base font-semibold">{t('common.language')}</h2>
          <div className="-ms-2">
            <LanguageList isInline />
          </div>
          <div className="mt-5">
            <ThemeSwitch />
          </div>
        </div>
      </div>
    </footer>
  );
}

/** A sentence about the site, and the address for questions. */
function Note() {
  const { t, rich, locale } = useText();
  const { note, contact } = useSite() ?? {};
  return (
    <>
      <p
        className="mt-3 max-w-sm text-muted"
        lang={note && note.lang !== locale ? note.lang : undefined}
        dir={note ? 'auto' : undefined}
      >
        {note ? note.text : t('common.footer_note')}
      </p>
      {contact ? (
        <p className="mt-2 max-w-sm wrap-anywhere text-muted">
          {rich('common.contact', {
            contact: (
              <a key="contact" href={`mailto:${contact}`} className="link">
                {contact}
              </a>
            ),
          })}
        </p>
      ) : null}
    </>
  );
}

/** Pages that every site has, and those that it has written itself. */
const PAGES = [
  { kind: 'accessibility', label: 'common.accessibility', isOwn: false },
  { kind: 'privacy', label: 'common.privacy', isOwn: false },
  { kind: 'terms', label: 'common.terms', isOwn: true },
  { kind: 'imprint', label: 'common.imprint', isOwn: true },
] as const satisfies { kind: SitePageKind; label: string; isOwn: boolean }[];

/** Addresses that are no routes: a page of the server, which it also serves while these pages fail, and a file of the build. */
const ELSEWHERE = [
  { path: '/status', label: 'common.site_status' },
  { path: '/third-party-licences.txt', label: 'common.licences' },
] as const;

function Links() {
  const { t } = useText();
  const site = useSite();
  return (
    <nav aria-label={t('common.footer')} className="mt-4">
      <ul className="flex flex-wrap gap-x-5">
        <li>
          <Link to="/events" className={LINK}>
            {t('events.title')}
          </Link>
        </li>
        <li>
          <Link to="/help" className={LINK}>
            {t('help.title')}
          </Link>
        </li>
        {PAGES.filter(({ kind, isOwn }) => !isOwn || site?.pages.includes(kind)).map(({ kind, label }) => (
          <li key={kind}>
            <Link to={addressOfPage(kind)} className={LINK}>
              {t(label)}
            </Link>
          </li>
        ))}
        <li>
          <Link to="/moderation-report" className={LINK}>
            {t('moderation.figures')}
          </Link>
        </li>
        {ELSEWHERE.map(({ path, label }) => (
          <li key={path}>
            <a href={path} className={LINK}>
              {t(label)}
            </a>
          </li>
        ))}
        {site?.links.map((link) => (
          <OwnLink key={`${link.url} ${link.label.text}`} link={link} />
        ))}
      </ul>
    </nav>
  );
}

/** A link that the installation has added. */
function OwnLink({ link: { label, url } }: { link: FrameSite['links'][number] }) {
  const { locale } = useText();
  return (
    <li>
      {/* Any path of this server, or another site. */}
      <a href={url} lang={label.lang === locale ? undefined : label.lang} dir="auto" className={LINK}>
        {label.text}
      </a>
    </li>
  );
}
