import { endonymOf, LOCALES } from '@officium/i18n/locales';
import { useParams } from 'react-router';
import { EditedField, type EditedFieldProps } from '../../editor/edited-field.tsx';
import { PictureFields } from '../../editor/lazy-picture-fields.tsx';
import { useFormScope } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { FieldGroup, Select, type Option } from '../../ui/field.tsx';
import { categoryName } from './model.ts';

const LANGUAGES: readonly Option[] = LOCALES.map((value) => ({ value, label: endonymOf(value) }));

/** The Markdown body, which becomes an editor once the form is used, and a picture for it. */
export function BodyField(props: Omit<EditedFieldProps, 'community'>) {
  const { slug } = useParams();
  return (
    <div>
      <EditedField {...props} community={slug} />
      {slug === undefined ? null : (
        <PictureFields to={`/api/community/communities/${encodeURIComponent(slug)}/pictures`} />
      )}
    </div>
  );
}

/** The language of the text; by default that of the page. */
export function LanguageField({ chosen }: { chosen?: string } = {}) {
  const { t, locale } = useText();
  return (
    <Select
      name="locale"
      label={t('community.written_in')}
      options={LANGUAGES}
      defaultValue={chosen ?? locale}
      required
      className="w-56 max-w-full"
    />
  );
}

/** Checkboxes for the community's categories; see `categoriesOf`. */
export function CategoryFields({ categories, chosen = [] }: { categories: string[]; chosen?: string[] }) {
  const { t } = useText();
  const { state, prefix } = useFormScope();
  if (categories.length === 0) return null;
  const isTicked = (category: string) =>
    state?.values ? `category-${category}` in state.values : chosen.includes(category);
  return (
    <FieldGroup name="categories" legend={`${t('community.categories')} (${t('common.optional')})`}>
      <div className="flex flex-wrap gap-2 pt-1">
        {categories.map((category) => (
          <label
            key={category}
            htmlFor={`${prefix}category-${category}`}
            className="inline-flex min-h-9 cursor-pointer items-center gap-2 rounded-full border border-edge bg-card px-3 text-sm hover:border-accent has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="checkbox"
              id={`${prefix}category-${category}`}
              name={`category-${category}`}
              defaultChecked={isTicked(category)}
              className="choice size-4!"
            />
            {categoryName(category)}
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}

/** The submitted categories. */
export function categoriesOf(fields: FormData): string[] {
  return [...fields.keys()].filter((name) => name.startsWith('category-')).map((name) => name.slice(9));
}
