import { data, Form, Link } from 'react-router';
import { ACCESS_SCOPES, previewProductAccess, setProductAccess } from '@officium/contract/product-access';
import { readProductPermissions } from '@officium/contract/admin';
import type { ReplyOf } from '@officium/contract/endpoint';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Route } from './+types/product-access.page';
import { oneOf, scopeOptions, scopeWord, typeWord } from './access-words.ts';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { backTo } from './products-list.ts';

const LIST = '/admin/products';
type Preview = ReplyOf<typeof previewProductAccess>;
type Scopes = Preview['permissions'];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, attempt, url } = await loadAdmin(request, context);
  const { permissions } = await api(readProductPermissions, { params });
  const chosen = (name: keyof Scopes) => oneOf(ACCESS_SCOPES, url.searchParams.get(name)) ?? permissions[name];
  const wanted = { can_view: chosen('can_view'), can_join: chosen('can_join') };
  const query = url.searchParams.get('back') ?? '';
  const asked = await attempt(previewProductAccess, { params, query: wanted });
  if (asked.ok) return { preview: asked.body, wanted, query, isUnfit: false };
  if (asked.failure.status !== 400) throw data(asked.failure, { status: asked.failure.status });
  // An invalid combination is shown again beside the current permissions.
  return { preview: await api(previewProductAccess, { params, query: permissions }), wanted, query, isUnfit: true };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const scope = (name: string) => oneOf(ACCESS_SCOPES, textOf(fields, name)) ?? 'private';
  const done = await attempt(setProductAccess, {
    params,
    body: { can_view: scope('can_view'), can_join: scope('can_join') },
  });
  return done.ok
    ? redirectWith(backTo(LIST, textOf(fields, 'back')), {
        key: 'admin.products_changed',
        values: { title: textOf(fields, 'title') },
      })
    : done.refusal;
}

export default function ProductAccess({ loaderData }: Route.ComponentProps) {
  const { preview, wanted, query, isUnfit } = loaderData;
  const text = useText();
  const { t } = text;
  const { permissions, title, contentType } = preview;
  const isSame = permissions.can_view === wanted.can_view && permissions.can_join === wanted.can_join;
  const back = backTo(LIST, query);
  return (
    <Admin
      title={title}
      intro={typeWord(text, contentType)}
      crumb={
        <p className="mb-2 text-sm">
          <Link to={back} className="link inline-block py-1.5">
            {t('admin.products_back')}
          </Link>
        </p>
      }
    >
      <div className="max-w-prose">
        {isUnfit ? (
          <Notice tone="danger" live>
            {t('admin.products_order')}
          </Notice>
        ) : null}
        {isSame || isUnfit ? (
          <Choose wanted={wanted} query={query} isSame={isSame} />
        ) : (
          <>
            <Comparison now={permissions} then={wanted} />
            <Meaning preview={preview} />
            <Confirm preview={preview} wanted={wanted} query={query} back={back} />
          </>
        )}
      </div>
    </Admin>
  );
}

function Choose({ wanted, query, isSame }: { wanted: Scopes; query: string; isSame: boolean }) {
  const text = useText();
  const { t } = text;
  const options = scopeOptions(text);
  return (
    <Form method="get" className="mt-4 grid gap-4">
      {isSame ? <p className="text-muted">{t('admin.products_same')}</p> : null}
      <input type="hidden" name="back" value={query} />
      <Select
        name="can_view"
        label={t('admin.products_view')}
        required
        options={options}
        defaultValue={wanted.can_view}
      />
      <Select
        name="can_join"
        label={t('admin.products_join')}
        required
        options={options}
        defaultValue={wanted.can_join}
      />
      <div>
        <Button>{t('admin.products_see')}</Button>
      </div>
    </Form>
  );
}

/** Compares who can view and join, now and after the change. */
function Comparison({ now, then }: { now: Scopes; then: Scopes }) {
  const text = useText();
  const { t } = text;
  return (
    <dl className="grid gap-4 border-y border-line py-4">
      {(['can_view', 'can_join'] as const).map((name) => (
        <div key={name}>
          <dt className="text-sm text-muted">
            {t(name === 'can_view' ? 'admin.products_view' : 'admin.products_join')}
          </dt>
          {now[name] === then[name] ? (
            <dd>{t('admin.products_stays', { scope: scopeWord(text, now[name]) })}</dd>
          ) : (
            <>
              <dd className="text-muted">
                <span className="sr-only">{t('admin.products_now')}: </span>
                <s>{scopeWord(text, now[name])}</s>
              </dd>
              <dd className="font-serif text-xl font-semibold">
                <span className="sr-only">{t('admin.products_then')}: </span>
                {scopeWord(text, then[name])}
              </dd>
            </>
          )}
        </div>
      ))}
    </dl>
  );
}

/** The number of people the change affects. */
function Meaning({ preview }: { preview: Preview }) {
  const { t } = useText();
  const { view, join, places, becomesPublic, endsPublic, byInvitation } = preview;
  const lines = [
    view.after < view.before
      ? t('admin.products_lose_view', { count: view.before - view.after })
      : view.after > view.before
        ? t('admin.products_gain_view', { count: view.after - view.before })
        : t('admin.products_same_view'),
    join.after < join.before
      ? t('admin.products_lose_join', { count: join.before - join.after })
      : join.after > join.before
        ? t('admin.products_gain_join', { count: join.after - join.before })
        : t('admin.products_same_join'),
    t('admin.products_places', { count: places }),
  ];
  return (
    <section aria-labelledby="meaning" className="mt-6">
      <h2 id="meaning" className="text-2xl">
        {t('admin.products_meaning')}
      </h2>
      <ul className="mt-2 grid list-disc gap-1.5 ps-5">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        {endsPublic ? <li>{t('admin.products_ends_public')}</li> : null}
        {byInvitation ? <li>{t('admin.products_by_invitation')}</li> : null}
      </ul>
      {becomesPublic ? (
        <div className="mt-4">
          <Notice tone="danger" title={t('admin.products_public_title')}>
            {t('admin.products_public_text')}
          </Notice>
        </div>
      ) : null}
      <p className="mt-4 text-sm text-muted">{t('admin.products_counted')}</p>
    </section>
  );
}

type ConfirmProps = { preview: Preview; wanted: Scopes; query: string; back: string };

function Confirm({ preview, wanted, query, back }: ConfirmProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('confirm');
  const { becomesPublic } = preview;
  return (
    <SmartForm intent="confirm" className="mt-6">
      <input type="hidden" name="can_view" value={wanted.can_view} />
      <input type="hidden" name="can_join" value={wanted.can_join} />
      <input type="hidden" name="back" value={query} />
      <input type="hidden" name="title" value={preview.title} />
      <div className="flex flex-wrap gap-3">
        <Button look={becomesPublic ? 'danger' : 'primary'} isBusy={isSubmitting}>
          {t(becomesPublic ? 'admin.products_confirm_public' : 'admin.products_confirm')}
        </Button>
        <LinkButton look="secondary" to={back}>
          {t('admin.products_cancel')}
        </LinkButton>
      </div>
    </SmartForm>
  );
}
