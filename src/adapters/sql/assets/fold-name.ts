/**
 * Names that differ only in case, in width or in how an accent is written fold to one. It is done here because the
 * engines disagree beyond ASCII. Upper case, because lower case has two letters for one sigma and none for `SS`.
 */
export function foldName(name: string): string {
  return name.normalize('NFKC').toUpperCase().normalize('NFC')
}
