import { previewPiece, readPiece } from '@officium/contract/authoring';
import { endonymOf, isLocale } from '@officium/i18n/locales';
import { data, Link } from 'react-router';
import { useText } from '../../text.tsx';
import { Notice } from '../../ui/notice.tsx';
import { BlockText } from '../../ui/block-text.tsx';
import { loadAdmin } from '../../admin/load.ts';
import type { Route } from './+types/piece-preview.page';
import { addressOf, isKind } from './kinds.ts';
import { PiecePage } from './piece-head.tsx';

export async function loader({ request, context, params: { kind, key } }: Route.LoaderArgs) {
  if (!isKind(kind)) throw data(null, { status: 404 });
  const { api, url, locale } = await loadAdmin(request, context, 'read-content');
  const asked = url.searchParams.get('language');
  const params = { kind, key };
  const [piece, preview] = await Promise.all([
    api(readPiece, { params }),
    api(previewPiece, { params, query: { locale: isLocale(asked) ? asked : locale } }),
  ]);
  return { piece, preview };
}

/** Answers are checked against the published text, so questions of a draft cannot be submitted. */
function withoutChecks(html: string): string {
  return html.replaceAll('<button type="submit" class="needs-network">', '<button type="submit" disabled>');
}

export default function PreviewPiece({ loaderData: { piece, preview } }: Route.ComponentProps) {
  const { t } = useText();
  const { shownLocale, cover, sections } = preview;
  return (
    <PiecePage piece={piece} name={t('admin.content_preview')}>
      <Notice>{t(piece.hasDraft ? 'admin.content_preview_draft' : 'admin.content_preview_live')}</Notice>
      <nav aria-label={t('admin.content_languages')} className="mt-4">
        <ul className="flex flex-wrap gap-x-4">
          {preview.locales.map((locale) => (
            <li key={locale}>
              <Link
                to={addressOf(piece.kind, piece.key, `/preview?language=${locale}`)}
                aria-current={locale === shownLocale ? 'page' : undefined}
                className="link inline-block py-1.5 aria-[current]:font-semibold aria-[current]:no-underline"
                lang={locale}
              >
                {endonymOf(locale)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <article lang={shownLocale} dir="auto" className="mt-8 max-w-read">
        {cover ? <img src={cover.url} alt={cover.alt} className="mb-6 w-full rounded" /> : null}
        <p className="font-serif text-4xl font-semibold">{preview.title}</p>
        {preview.summary ? <p className="mt-3 text-lg text-muted">{preview.summary}</p> : null}
        {preview.html === null ? null : (
          <div className="mt-6">
            {piece.kind === 'course' ? <BankNote /> : null}
            <BlockText html={withoutChecks(preview.html)} lang={shownLocale} />
          </div>
        )}
        {sections.length > 0 ? (
          <ol className="mt-6 grid gap-5">
            {sections.map(({ heading, lessons }, at) => (
              <li key={at}>
                <p className="text-xl font-semibold">{heading}</p>
                <ol className="mt-1 list-decimal ps-6">
                  {lessons.map((lesson, index) => (
                    <li key={index}>{lesson}</li>
                  ))}
                </ol>
              </li>
            ))}
          </ol>
        ) : null}
      </article>
    </PiecePage>
  );
}

/** The text of a course is its question bank, of which learners see no page. */
function BankNote() {
  const { t, locale, dir } = useText();
  return (
    <div lang={locale} dir={dir} className="mt-8 border-t border-line pt-6">
      <p className="font-serif text-2xl font-semibold">{t('admin.content_field_bank')}</p>
      <p className="mt-1 text-muted">{t('admin.content_bank_hint')}</p>
    </div>
  );
}
