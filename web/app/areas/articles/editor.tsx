import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { useActionData, useNavigation } from 'react-router';
import { draftKey } from '../../form/draft.ts';
import { SmartForm, useFormState } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { articleOf, type Values } from './article-form.ts';
import { ArticleText } from './article-text.tsx';
import type { Conflict, Preview, PreviewAnswer } from './editor.act.ts';
import { ArticleFields } from './editor-fields.tsx';
import { ARTICLE_PICTURE_PATH } from '../../editor/picture-path.ts';
import { LeaveGuard } from '../../editor/leave-guard.tsx';
import { useDraft } from './use-draft.ts';

type Props = {
  author: { id: string; name: string };
  /** Slug of the edited article. */
  slug?: string;
  /** Initial values of the form. */
  initial: Values;
};

/** The article editor: preview, fields, and a note before publishing. */
export function Editor({ author, slug, initial }: Props) {
  const { t, date } = useText();
  const answer = usePreview();
  const conflict = useConflict();
  const isSent = Boolean(useFormState() ?? answer);
  const field = useRef<HTMLInputElement>(null);
  const key = draftKey(author.id, `article:${slug ?? 'new'}`);
  const { found, isDirty, isKept, touch, discard } = useDraft({ key, field, initial, isSent });
  const { formData } = useNavigation();
  const isBusy = formData !== undefined;
  const isPublishing = formData !== undefined && formData.get('intent') !== 'preview';
  // Initial values stay fixed: with the last answer, untouched fields would change as well.
  const [begun] = useState(answer?.values ?? initial);
  const values = found?.values ?? begun;
  return (
    <>
      {answer ? <PreviewSection answer={answer} author={author.name} slug={slug} /> : null}
      {conflict ? <ConflictSection saved={conflict.saved} /> : null}
      {found ? (
        <div className="mb-6">
          <Notice live>
            {t('article.draft_found', { when: date(found.savedAt, WHEN) })}{' '}
            <button type="button" className="link min-h-6" onClick={discard}>
              {t('article.draft_discard')}
            </button>
          </Notice>
        </div>
      ) : null}
      <SmartForm
        key={found ? 'found' : 'initial'}
        onInput={touch}
        encType="multipart/form-data"
        className="grid gap-6"
        action={slug ? `/articles/${encodeURIComponent(slug)}/edit` : '/articles/new'}
      >
        <input ref={field} type="hidden" name="draft" value={key} />
        <BasedOn value={values['basedOn']} />
        <ArticleFields values={values} author={author} />
        <div className="border-t border-line pt-5">
          <p className="text-muted">{t('article.publish_note')}</p>
          <div className="mt-4 flex flex-wrap items-center gap-3">
            <Button name="intent" value="publish" isBusy={isBusy}>
              {slug ? t('article.save') : t('article.publish')}
            </Button>
            <Button name="intent" value="preview" look="secondary" isBusy={isBusy}>
              {t('article.preview')}
            </Button>
            {slug ? (
              <LinkButton to={`/articles/${encodeURIComponent(slug)}`} look="quiet">
                {t('common.cancel')}
              </LinkButton>
            ) : null}
            {isKept ? <span className="text-sm text-muted">{t('article.draft_kept')}</span> : null}
          </div>
        </div>
      </SmartForm>
      <LeaveGuard isOn={isDirty && !isPublishing} />
    </>
  );
}

/** The state of the article that the form began with; after a conflict, the one that was shown. */
function BasedOn({ value }: { value: string | undefined }) {
  const kept = useFormState()?.values?.['basedOn'] ?? value;
  return kept === undefined ? null : <input key={kept} type="hidden" name="basedOn" defaultValue={kept} />;
}

function useConflict(): Conflict | undefined {
  const answer: unknown = useActionData();
  const isConflict = typeof answer === 'object' && answer !== null && 'saved' in answer;
  return isConflict ? (answer as Conflict) : undefined; // editor.act.ts alone returns this shape
}

function ConflictSection({ saved }: Conflict) {
  const { t } = useText();
  return (
    <section aria-labelledby="conflict" className="mb-8">
      <h2 id="conflict" className="text-2xl">
        {t('article.conflict')}
      </h2>
      <p className="mt-1">{t('article.conflict_text')}</p>
      <h3 className="mt-4 font-semibold">{t('article.conflict_other')}</h3>
      <pre
        dir="auto"
        lang={saved.locale}
        tabIndex={0}
        className="mt-1 max-h-96 overflow-y-auto rounded bg-sunk p-3 text-sm whitespace-pre-wrap"
      >
        {[saved.title, saved.subtitle, saved.tldr, saved.body].filter(Boolean).join('\n\n')}
      </pre>
    </section>
  );
}

const WHEN = { dateStyle: 'medium', timeStyle: 'short' } as const;

function usePreview(): PreviewAnswer | undefined {
  const answer: unknown = useActionData();
  const isPreview = typeof answer === 'object' && answer !== null && 'preview' in answer;
  return isPreview ? (answer as PreviewAnswer) : undefined; // editor.act.ts alone returns this shape
}

function PreviewSection({ answer, author, slug }: { answer: PreviewAnswer; author: string; slug: string | undefined }) {
  const { t } = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    heading.current?.scrollIntoView();
    announce(t('article.preview_ready'));
  }, [answer, t]);
  return (
    <section aria-labelledby="preview" className="mb-10 border-y-2 border-ink py-6">
      <h2 id="preview" ref={heading} tabIndex={-1} className="text-2xl">
        {t('article.preview')}
      </h2>
      <p className="mt-1 text-muted">
        {t('article.preview_note')}{' '}
        <a href="#body" className="link inline-block py-1" onClick={continueWriting}>
          {t('article.preview_back')}
        </a>
      </p>
      <Shown preview={answer.preview} values={answer.values} author={author} slug={slug} />
    </section>
  );
}

/** The browser's own jump would be a navigation and discard the preview. */
function continueWriting(event: MouseEvent<HTMLAnchorElement>) {
  event.preventDefault();
  document.getElementById('body')?.focus();
}

function Shown({
  preview,
  values,
  author,
  slug,
}: {
  preview: Preview;
  values: Values;
  author: string;
  slug: string | undefined;
}) {
  const { t, rich, locale } = useText();
  const { coverImage, ...article } = articleOf(asFields(values));
  const cover = coverImage && isShown(coverImage.url) && coverImage.width && coverImage.height ? coverImage : null;
  return (
    <article className="mt-8">
      <ArticleText
        heading="h3"
        article={{
          slug: slug ?? 'preview',
          html: preview.html,
          title: article.title,
          subtitle: article.subtitle,
          tldr: article.tldr ?? null,
          // Tags come from our own list, including their prefix.
          tags: article.tags as Parameters<typeof ArticleText>[0]['article']['tags'],
          locale: article.locale ?? locale,
          coverImage: cover
            ? {
                ...cover,
                url: preview.cover?.url ?? cover.url,
                title: cover.title ?? null,
                description: cover.description ?? null,
                color: cover.color ?? null,
              }
            : null,
        }}
        byline={
          <p className="flex flex-wrap gap-x-3 text-sm text-muted">
            <span>{rich('article.by', { name: <bdi>{author}</bdi> })}</span>
            <span>{t('article.read', { count: preview.minutes })}</span>
          </p>
        }
      />
    </article>
  );
}

/** An address in the form, or a picture that was uploaded. */
const isShown = (url: string) => url.startsWith(ARTICLE_PICTURE_PATH) || URL.canParse(url);

function asFields(values: Values): FormData {
  const fields = new FormData();
  for (const [name, value] of Object.entries(values)) fields.set(name, value);
  return fields;
}
