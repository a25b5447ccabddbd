import { useText } from '../../text.tsx';
import { Select } from '../../ui/field.tsx';
import type { Scopes } from './audience.act.ts';
import { SCOPES } from './kinds.ts';

/** The audience of a piece once it is published. */
export function AudienceField({ scopes }: { scopes: Scopes }) {
  const { t } = useText();
  return (
    <Select
      name="audience"
      label={t('admin.content_audience')}
      hint={t('admin.content_audience_hint')}
      options={SCOPES.map((scope) => ({ value: scope, label: t(`admin.products_scope_${scope}`) }))}
      defaultValue={scopes.can_view}
      required
      className="max-w-prose"
    />
  );
}
