import { createArticle, previewArticle, updateArticle } from '@officium/contract/content';
import type { createArticle as Create } from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import { isLocale } from '@officium/i18n/locales';
import { data } from 'react-router';
import { act, refuse } from '../../server/api.ts';
import { pageContext } from '../../server/page-context.ts';
import { redirectWith } from '../../form/flash.ts';
import { keepable } from '../../form/state.ts';
import { showFromHere } from '../../server/pictures.ts';
import { articleOf, toFieldIssues, type Values } from './article-form.ts';

export type Preview = { html: string; minutes: number; cover: { url: string } | null };
/** Result of a preview request: the preview, and the fields as submitted. */
export type PreviewAnswer = { preview: Preview; values: Values };

type Args = {
  request: Request;
  context: Parameters<typeof act>[1];
  /** Slug of the edited article. */ slug?: string;
};

/** Publishes, saves or previews the submitted article. */
export async function editorAction({ request, context, slug }: Args) {
  const { attempt, fields, locale } = await act(request, context);
  const article = articleOf(fields);
  if (fields.get('intent') === 'preview') {
    const body = { body: article.body, locale: isLocale(article.locale) ? article.locale : locale };
    const shown = await attempt(previewArticle, { body });
    if (!shown.ok) return shown.refusal;
    const cover = article.coverImage ? { url: article.coverImage.url } : null;
    const preview = showFromHere({ ...shown.body, cover }, context.get(pageContext).shownFrom);
    return data<PreviewAnswer>({ preview, values: keepable(fields) });
  }
  const done = slug
    ? await attempt(updateArticle, { params: { slug }, body: article })
    : await attempt(createArticle, { body: article });
  if (!done.ok) {
    const { message, code, issues, status } = done.failure;
    return refuse({ message, code, issues: toFieldIssues(issues), values: keepable(fields), status }, status);
  }
  const to = slug ?? (done.body as ReplyOf<typeof Create>).slug; // no slug: the article was just created
  return redirectWith(`/articles/${encodeURIComponent(to)}`, { key: slug ? 'common.saved' : 'article.is_published' });
}
