import { data, Link } from 'react-router';
import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import type { Route } from './+types/help-page.page';
import { readHelpPage } from './help.load.ts';
import { InEnglish } from './help-words.tsx';

export function loader({ params }: Route.LoaderArgs) {
  const page = readHelpPage(params.page);
  if (page === undefined) throw data(null, { status: 404 });
  return { ...page };
}

/** A guide, or a document that the guides build on. */
export default function HelpPage({ loaderData: { title, html, tasks, version } }: Route.ComponentProps) {
  const { t } = useText();
  return (
    <div className="page grid items-start gap-x-12 gap-y-6 py-10 md:py-14 lg:grid-cols-[minmax(0,1fr)_16rem]">
      <Head title={title} description={t('help.intro')} trail={[{ name: t('help.title'), path: '/help' }]} />
      <article className="min-w-0">
        <Link to="/help" className="link inline-block py-1.5">
          {t('help.all')}
        </Link>
        <h1 className="mt-2 text-4xl md:text-5xl" lang="en" dir="ltr">
          {title}
        </h1>
        <InEnglish />
        <div dir="ltr">
          <RichText html={html} lang="en" className="mt-6" />
        </div>
        <p className="mt-10 text-sm text-muted">{t('help.version', { version })}</p>
      </article>
      <nav aria-labelledby="on-this-page" className="no-print max-lg:hidden lg:sticky lg:top-24">
        <h2 id="on-this-page" className="font-sans text-base font-semibold">
          {t('help.on_this_page')}
        </h2>
        <ul className="mt-1" lang="en">
          {tasks.map(({ id, title: task }) => (
            <li key={id}>
              <a href={`#${id}`} className="link inline-block py-1" dir="ltr">
                {task}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
