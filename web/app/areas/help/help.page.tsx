import { Form, Link } from 'react-router';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/help.page';
import { GUIDES, type Guide } from './guides.ts';
import { findHelp, listHelp, MAX_QUERY } from './help.load.ts';
import type { HelpFinding } from './help.ts';
import { GUIDE_NAMES, InEnglish } from './help-words.tsx';

export function loader({ request }: Route.LoaderArgs) {
  const q = (new URL(request.url).searchParams.get('q') ?? '').trim().slice(0, MAX_QUERY);
  return { q, findings: q === '' ? null : findHelp(q), ...listHelp() };
}

const isGuide = (slug: string): slug is Guide => GUIDES.some((guide) => guide === slug);

/** The guides by reader, and their search. */
export default function Help({ loaderData: { q, findings, guides, reference } }: Route.ComponentProps) {
  const { t } = useText();
  return (
    <div className="page py-10 md:py-14">
      <Head title={t('help.title')} description={t('help.intro')} isPrivate={q !== ''} />
      <h1 className="text-4xl md:text-5xl">{t('help.title')}</h1>
      <p className="mt-3 max-w-2xl text-lg text-muted">{t('help.intro')}</p>
      <InEnglish />
      <Form key={q} role="search" aria-label={t('help.search')} className="mt-6 flex max-w-2xl items-end gap-3">
        <Field
          name="q"
          id="help-q"
          type="search"
          label={t('help.search')}
          defaultValue={q}
          maxLength={200}
          dir="auto"
          hideOptional
          required
          className="min-w-0 grow"
        />
        <Button>{t('search.submit')}</Button>
      </Form>
      {findings ? <Findings q={q} findings={findings} /> : null}
      <h2 className="mt-12 text-3xl">{t('help.guides')}</h2>
      <ul className="mt-5 grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {guides.map(({ slug, title, tasks }) => (
          <li key={slug} className="card p-5">
            <h3 className="text-2xl">
              <Link to={`/help/${slug}`} className="title-link">
                {isGuide(slug) ? t(GUIDE_NAMES[slug]) : title}
              </Link>
            </h3>
            <ul className="mt-2" lang="en">
              {tasks.map(({ id, title: task }) => (
                <li key={id}>
                  <Link to={`/help/${slug}#${id}`} className="link inline-block py-1" dir="ltr">
                    {task}
                  </Link>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <h2 className="mt-12 text-3xl">{t('help.reference')}</h2>
      <ul className="mt-3 columns-2xs gap-x-8" lang="en">
        {reference.map(({ slug, title }) => (
          <li key={slug}>
            <Link to={`/help/${slug}`} className="link inline-block py-1.5" dir="ltr">
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Findings({ q, findings }: { q: string; findings: HelpFinding[] }) {
  const { t } = useText();
  return (
    <section aria-labelledby="found" className="mt-10 max-w-3xl">
      <h2 id="found" className="text-2xl">
        {findings.length > 0 ? t('search.results_for', { query: q }) : t('help.nothing_found')}
      </h2>
      <ul className="divide-y divide-line" lang="en" dir="ltr">
        {findings.map(({ address, page, section, excerpt }) => (
          <li key={address} className="py-4">
            <h3 className="text-xl">
              <Link to={address} className="title-link">
                {section === null ? page : `${page}: ${section}`}
              </Link>
            </h3>
            <p className="mt-0.5 text-muted">{excerpt}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
