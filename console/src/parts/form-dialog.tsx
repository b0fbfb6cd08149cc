import { type ReactNode, useState } from 'react'
import { CustomerPicker } from './customers.tsx'
import { Confirm } from './dialog.tsx'
import { Field } from './fields.tsx'

export interface FormField {
  name: string
  label: string
  hint?: string
  value?: string
  /** Choices of a list; left out: a field for text. */
  options?: readonly (readonly [value: string, name: string])[]
  isOptional?: boolean
  /** `customer`: a search by name or id. */
  type?: 'text' | 'password' | 'number' | 'datetime-local' | 'customer'
  isLong?: boolean
}

interface Props {
  title: string
  action: string
  about?: string
  fields: readonly FormField[]
  danger?: boolean
  typed?: string
  onClose(): void
  onSubmit(values: Record<string, string>): Promise<unknown>
  /** Content below the fields, such as the result of the last attempt. */
  children?: ReactNode
}

/** A small form in a dialog, which shows the errors of the gateway. */
export function FormDialog({ fields, about, onSubmit, children, ...confirm }: Props) {
  const [values, setValues] = useState(() =>
    Object.fromEntries(fields.map(({ name, value, options }) => [name, value ?? options?.[0]?.[0] ?? ''])),
  )
  const isReady = fields.every(({ name, isOptional }) => isOptional || values[name]?.trim() !== '')
  return (
    <Confirm {...confirm} isReady={isReady} onConfirm={() => onSubmit(values)}>
      {about !== undefined && <p className="muted">{about}</p>}
      {fields.map(({ name, label, hint, options, type = 'text', isLong }) => {
        const control = {
          name,
          value: values[name] ?? '',
          onChange: ({ target }: { target: { value: string } }) =>
            setValues({ ...values, [name]: target.value }),
        }
        if (type === 'customer')
          return (
            <CustomerPicker
              key={name}
              label={label}
              value={values[name] ?? ''}
              onChoose={(id) => setValues({ ...values, [name]: id })}
            />
          )
        return (
          <Field key={name} label={label} hint={hint}>
            {options !== undefined ? (
              <select {...control}>
                {options.map(([value, shown]) => (
                  <option key={value} value={value}>
                    {shown}
                  </option>
                ))}
              </select>
            ) : isLong ? (
              <textarea {...control} />
            ) : (
              <input {...control} type={type} autoComplete="off" />
            )}
          </Field>
        )
      })}
      {children}
    </Confirm>
  )
}

/** A number of a form, or null where the field was left empty. */
export function numberOrNull(text: string | undefined): number | null {
  return text === undefined || text.trim() === '' ? null : Number(text)
}
