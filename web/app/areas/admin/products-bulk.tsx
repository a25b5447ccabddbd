import { Form } from 'react-router';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { scopeOptions } from './access-words.ts';

const FORM = 'several';

/** Selects a row of the table for the form below it, which the checkbox belongs to wherever it stands. */
export function Choice({ id, title }: { id: string; title: string }) {
  const { t } = useText();
  return (
    <label className="inline-flex min-h-11 items-center">
      <input type="checkbox" form={FORM} name="id" value={id} className="choice" />
      <span className="sr-only">
        {t('admin.people_select')}: {title}
      </span>
    </label>
  );
}

/** Leads to the page that shows what the change of the selected rows would do. */
export function BulkForm({ query }: { query: string }) {
  const text = useText();
  const { t } = text;
  return (
    <Form id={FORM} method="get" action="/admin/products/several" className="mt-8">
      <input type="hidden" name="back" value={query} />
      <fieldset className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <legend className="mb-2 text-xl font-semibold">{t('admin.products_several')}</legend>
        <Select
          name="permission"
          label={t('admin.products_several_what')}
          hideOptional
          className="min-w-0 grow basis-44 sm:max-w-xs"
          options={[
            { value: 'can_view', label: t('admin.products_view') },
            { value: 'can_join', label: t('admin.products_join') },
          ]}
        />
        <Select
          name="scope"
          label={t('admin.products_several_value')}
          hideOptional
          className="min-w-0 grow basis-56 sm:max-w-sm"
          options={scopeOptions(text)}
          defaultValue="private"
        />
        <Button look="secondary">{t('admin.products_see')}</Button>
      </fieldset>
    </Form>
  );
}
