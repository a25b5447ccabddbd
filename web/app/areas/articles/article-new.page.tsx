import { loadSignedIn } from '../../server/api.ts';
import { loadPictureFields } from '../../editor/lazy-picture-fields.tsx';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/article-new.page';
import { editorAction } from './editor.act.ts';
import { Editor } from './editor.tsx';
import { forgettingAction } from './forget-draft.ts';
import { mayWrite } from './may-write.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const [{ viewer }] = await Promise.all([loadSignedIn(request, context), loadPictureFields()]);
  return { author: mayWrite(viewer) ? { id: viewer.id, name: viewer.name } : null };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await editorAction({ request, context });
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  forgettingAction({ request, serverAction });

export default function NewArticle({ loaderData: { author } }: Route.ComponentProps) {
  const { t } = useText();
  const title = t('article.write');
  return (
    <div className="page py-8 md:py-12">
      <Head title={title} isPrivate />
      <div className="mx-auto max-w-3xl">
        {author ? (
          <>
            <h1 className="text-4xl md:text-5xl">{title}</h1>
            <p className="mt-3 mb-8 text-lg text-muted">{t('article.write_intro')}</p>
            <Editor author={author} initial={NOTHING} />
          </>
        ) : (
          <>
            <h1 className="sr-only">{title}</h1>
            <EmptyState
              title={t('article.write_closed_title')}
              action={
                <LinkButton to="/articles" look="secondary">
                  {t('article.all')}
                </LinkButton>
              }
            >
              {t('article.write_closed_text')}
            </EmptyState>
          </>
        )}
      </div>
    </div>
  );
}

const NOTHING = {};
