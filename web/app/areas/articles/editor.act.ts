import { createArticle, previewArticle, updateArticle } from '@officium/contract/content';
import type { createArticle as Create } from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import { isLocale } from '@officium/i18n/locales';
import { data } from 'react-router';
import { act, refuse } from '../../api.ts';
import { doorContext } from '../../door.ts';
import { redirectWith } from '../../form/flash.ts';
import { keepable } from '../../form/state.ts';
import { showFromHere } from '../../pictures.ts';
import { articleOf, toFieldIssues, type Values } from './article-form.ts';

export type Preview = { html: string; minutes: number; cover: { url: string } | null };
/** The answer to somebody who wants to see what they wrote: that, and the fields as they sent them. */
export type PreviewAnswer = { preview: Preview; values: Values };

type Args = {
  request: Request;
  context: Parameters<typeof act>[1];
  /** Of the article that is edited. */ slug?: string;
};

/** Publishes, saves or shows what is in the editor. */
export async function editorAction({ request, context, slug }: Args) {
  const { attempt, fields, locale } = await act(request, context);
  const article = articleOf(fields);
  if (fields.get('intent') === 'preview') {
    const body = { body: article.body, locale: isLocale(article.locale) ? article.locale : locale };
    const shown = await attempt(previewArticle, { body });
    if (!shown.ok) return shown.refusal;
    const cover = article.coverImage ? { url: article.coverImage.url } : null;
    const preview = showFromHere({ ...shown.body, cover }, context.get(doorContext).shownFrom);
    return data<PreviewAnswer>({ preview, values: keepable(fields) });
  }
  const done = slug
    ? await attempt(updateArticle, { params: { slug }, body: article })
    : await attempt(createArticle, { body: article });
  if (!done.ok) {
    const { message, code, issues, status } = done.failure;
    return refuse({ message, code, issues: toFieldIssues(issues), values: keepable(fields), status }, status);
  }
  const to = slug ?? (done.body as ReplyOf<typeof Create>).slug; // without a slug it was made
  return redirectWith(`/articles/${encodeURIComponent(to)}`, { key: slug ? 'common.saved' : 'article.is_published' });
}
