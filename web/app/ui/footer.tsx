import { Link } from 'react-router';
import type { FrameSite } from '../root-data.ts';
import { useSite } from '../site.ts';
import { useText } from '../text.tsx';
import { Brand } from './brand.tsx';
import { LanguageList } from './language-menu.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

const LICENCES = '/third-party-licences.txt';

/** The page footer. */
export function Footer() {
  const { t, rich, locale } = useText();
  const site = useSite();
  const note = site?.note;
  return (
    <footer className="no-print mt-auto border-t border-line bg-sunk pb-20 md:pb-0">
      <div className="page grid gap-8 py-10 md:grid-cols-[1fr_1.4fr]">
        <div>
          <p className="flex items-center">
            <Brand isSmall />
          </p>
          <p
            className="mt-3 max-w-sm text-muted"
            lang={note && note.lang !== locale ? note.lang : undefined}
            dir={note ? 'auto' : undefined}
          >
            {note ? note.text : t('common.footer_note')}
          </p>
          {site?.contact ? (
            <p className="mt-2 max-w-sm wrap-anywhere text-muted">
              {rich('common.contact', {
                contact: (
                  <a key="contact" href={`mailto:${site.contact}`} className="link">
                    {site.contact}
                  </a>
                ),
              })}
            </p>
          ) : null}
          <nav aria-label={t('common.footer')} className="mt-4">
            <ul className="flex flex-wrap gap-x-5">
              <li>
                <Link to="/events" className="link inline-block py-1.5">
                  {t('events.title')}
                </Link>
              </li>
              <li>
                <Link to="/accessibility-statement" className="link inline-block py-1.5">
                  {t('common.accessibility')}
                </Link>
              </li>
              <li>
                <Link to="/privacy" className="link inline-block py-1.5">
                  {t('common.privacy')}
                </Link>
              </li>
              {site?.pages.includes('terms') ? (
                <li>
                  <Link to="/terms" className="link inline-block py-1.5">
                    {t('common.terms')}
                  </Link>
                </li>
              ) : null}
              {site?.pages.includes('imprint') ? (
                <li>
                  <Link to="/legal-notice" className="link inline-block py-1.5">
                    {t('common.imprint')}
                  </Link>
                </li>
              ) : null}
              <li>
                <Link to="/moderation-report" className="link inline-block py-1.5">
                  {t('moderation.figures')}
                </Link>
              </li>
              <li>
                {/* A file of the build, not a route. */}
                <a href={LICENCES} className="link inline-block py-1.5">
                  {t('common.licences')}
                </a>
              </li>
              {site?.links.map((link) => (
                <OwnLink key={link.url} link={link} />
              ))}
            </ul>
          </nav>
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

/** A link that the installation has added. */
function OwnLink({ link: { label, url } }: { link: FrameSite['links'][number] }) {
  const { locale } = useText();
  return (
    <li>
      {/* Any path of this server, or another site. */}
      <a
        href={url}
        lang={label.lang === locale ? undefined : label.lang}
        dir="auto"
        className="link inline-block py-1.5"
      >
        {label.text}
      </a>
    </li>
  );
}
