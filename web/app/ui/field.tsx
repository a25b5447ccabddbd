import type { ComponentProps, InputHTMLAttributes, ReactNode, SelectHTMLAttributes } from 'react';
import { useFormScope } from '../form/form-scope.tsx';
import { issueText } from '../form/issue-text.ts';
import { issueOf } from '../form/state.ts';
import { useText } from '../text.tsx';

type Common = {
  /** Name of the field in the API; also its id unless `id` is given. */
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  /** Error message; by default the form's issue for this field. */
  error?: string;
  /** Show the label to screen readers only. */
  hideLabel?: boolean;
  /** Omits "(optional)" where it is obvious: filters, searches. */
  hideOptional?: boolean;
  className?: string;
};

type Wired = { id: string; error: string | undefined; describedBy: string | undefined; kept: string | undefined };

function useWired({ name, error, hint }: Common, id: string | undefined): Wired {
  const { state, prefix } = useFormScope();
  const text = useText();
  const issue = issueOf(state, name);
  const fieldId = id ?? `${prefix}${name}`;
  const message = error ?? (issue && issueText(text, issue));
  const describedBy = [hint && `${fieldId}-hint`, message && `${fieldId}-error`].filter(Boolean).join(' ') || undefined;
  return { id: fieldId, error: message, describedBy, kept: state?.values?.[name] };
}

type FrameProps = Common & { wired: Wired; isRequired: boolean | undefined; children: ReactNode };

function Frame({ label, hint, hideLabel, className = '', wired, isRequired, children }: FrameProps) {
  const { t } = useText();
  return (
    <div className={className}>
      <label id={`${wired.id}-label`} htmlFor={wired.id} className={hideLabel ? 'sr-only' : 'mb-1 block font-semibold'}>
        {label}
        {isRequired ? null : <span className="font-normal text-muted"> ({t('common.optional')})</span>}
      </label>
      {hint ? (
        <p id={`${wired.id}-hint`} className="mb-1.5 text-sm text-muted">
          {hint}
        </p>
      ) : null}
      {wired.error ? <FieldError id={`${wired.id}-error`}>{wired.error}</FieldError> : null}
      {children}
    </div>
  );
}

function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="mb-1.5 flex items-start gap-2 text-sm font-semibold text-danger">
      <span aria-hidden="true">▲</span>
      {children}
    </p>
  );
}

type FieldProps = Common & Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'className'>;

/** A labelled one-line input. Set `autoComplete` where browsers can fill it, and `required` where it is. */
export function Field(props: FieldProps) {
  const { name, label, hint, error, hideLabel, hideOptional, className, id, defaultValue, ...input } = props;
  const wired = useWired(props, id);
  return (
    <Frame
      {...{ name, label, hint, error, hideLabel, className, wired }}
      isRequired={hideLabel || hideOptional || input.required}
    >
      <input
        {...input}
        id={wired.id}
        name={name}
        className="input"
        defaultValue={input.value === undefined ? (wired.kept ?? defaultValue) : undefined}
        aria-invalid={wired.error ? true : undefined}
        aria-describedby={wired.describedBy}
      />
    </Frame>
  );
}

/** Ids and state for a control that replaces the field. */
export type FieldWiring = { id: string; labelId: string; describedBy: string | undefined; isInvalid: boolean };

type TextAreaProps = Common & {
  /** Replaces the text area, which stays in the form, hidden, and is what is submitted. */
  replacement?: (field: FieldWiring) => ReactNode;
  /** Rendered directly above the text area. */
  tools?: ReactNode;
} & Omit<ComponentProps<'textarea'>, 'name' | 'className'>;

/** A labelled multi-line text; it grows with its content where browsers support it. */
export function TextArea(props: TextAreaProps) {
  const { name, label, hint, error, hideLabel, hideOptional, className, id, defaultValue, rows = 4, ...rest } = props;
  const { replacement, tools, ...input } = rest;
  const wired = useWired(props, id);
  return (
    <Frame
      {...{ name, label, hint, error, hideLabel, className, wired }}
      isRequired={hideLabel || hideOptional || input.required}
    >
      {replacement?.({
        id: wired.id,
        labelId: `${wired.id}-label`,
        describedBy: wired.describedBy,
        isInvalid: wired.error !== undefined,
      })}
      {tools}
      <textarea
        {...input}
        rows={rows}
        id={replacement ? undefined : wired.id}
        hidden={replacement !== undefined}
        name={name}
        className={replacement ? 'hidden' : 'input field-sizing-content max-h-96'}
        defaultValue={input.value === undefined ? (wired.kept ?? defaultValue) : undefined}
        aria-invalid={wired.error ? true : undefined}
        aria-describedby={wired.describedBy}
      />
    </Frame>
  );
}

export type Option = { value: string; label: string };
type SelectProps = Common & { options: readonly Option[] } & Omit<
    SelectHTMLAttributes<HTMLSelectElement>,
    'name' | 'className' | 'children'
  >;

/** A labelled native select. */
export function Select(props: SelectProps) {
  const { name, label, hint, error, hideLabel, hideOptional, className, id, options, defaultValue, ...input } = props;
  const wired = useWired(props, id);
  return (
    <Frame
      {...{ name, label, hint, error, hideLabel, className, wired }}
      isRequired={hideLabel || hideOptional || input.required}
    >
      <select
        {...input}
        id={wired.id}
        name={name}
        className="input"
        defaultValue={input.value === undefined ? (wired.kept ?? defaultValue) : undefined}
        aria-invalid={wired.error ? true : undefined}
        aria-describedby={wired.describedBy}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

type ChoiceProps = Pick<Common, 'name' | 'label' | 'hint'> & { className?: string } & Omit<
    InputHTMLAttributes<HTMLInputElement>,
    'name' | 'type' | 'className'
  >;

/** A labelled checkbox. */
export function Checkbox(props: ChoiceProps) {
  return <Choice type="checkbox" {...props} />;
}

/** A radio button inside a `FieldGroup`. */
export function Radio(props: ChoiceProps) {
  return <Choice type="radio" {...props} />;
}

function Choice({
  type,
  name,
  label,
  hint,
  className = '',
  id,
  ...input
}: ChoiceProps & { type: 'checkbox' | 'radio' }) {
  const { prefix } = useFormScope();
  const fieldId = id ?? `${prefix}${name}${input.value === undefined ? '' : `-${String(input.value)}`}`;
  return (
    <div className={`flex min-h-11 items-start gap-3 py-2 ${className}`}>
      <input
        {...input}
        type={type}
        id={fieldId}
        name={name}
        className="choice"
        aria-describedby={hint ? `${fieldId}-hint` : undefined}
      />
      <div>
        <label htmlFor={fieldId}>{label}</label>
        {hint ? (
          <p id={`${fieldId}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        ) : null}
      </div>
    </div>
  );
}

type GroupProps = {
  name?: string;
  legend: ReactNode;
  hint?: ReactNode;
  error?: string;
  children: ReactNode;
  className?: string;
};

/** A group of choices with a legend. With `name`, it shows the form's issue for that field. */
export function FieldGroup({ name, legend, hint, error, children, className }: GroupProps) {
  const { state, prefix } = useFormScope();
  const text = useText();
  const issue = name ? issueOf(state, name) : undefined;
  const message = error ?? (issue && issueText(text, issue));
  const id = `${prefix}${name ?? 'group'}`;
  return (
    <fieldset id={id} tabIndex={-1} className={className} aria-describedby={message ? `${id}-error` : undefined}>
      <legend className="mb-1 font-semibold">{legend}</legend>
      {hint ? <p className="mb-1.5 text-sm text-muted">{hint}</p> : null}
      {message ? <FieldError id={`${id}-error`}>{message}</FieldError> : null}
      {children}
    </fieldset>
  );
}
