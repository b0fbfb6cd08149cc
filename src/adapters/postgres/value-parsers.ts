import { type CustomTypesConfig, types } from 'pg'

/** Whole numbers become numbers where `pg` would hand out text; decimals stay text, which loses nothing. */
export const VALUE_PARSERS: CustomTypesConfig = {
  getTypeParser: (typeId, format) =>
    typeId === types.builtins.INT8 && format !== 'binary'
      ? parseWholeNumber
      : types.getTypeParser(typeId, format),
}

function parseWholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is more than a number can hold exactly`)
  return value
}
