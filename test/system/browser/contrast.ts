import type { Page } from 'playwright-core'

/** The lowest text contrast of a page by WCAG, with its text. */
export function lowestContrast(page: Page): Promise<{ ratio: number; text: string }> {
  return page.evaluate(IN_THE_PAGE)
}

/** A text, because it runs in the browser: this program has no types for what is there. */
const IN_THE_PAGE = `(() => {
  const numbers = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number)
  const luminance = (colour) => {
    const [red, green, blue] = numbers(colour).map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const groundOf = (element) => {
    if (element === null) return 'rgb(255, 255, 255)'
    const { backgroundColor } = getComputedStyle(element)
    return numbers(backgroundColor)[3] === 0 ? groundOf(element.parentElement) : backgroundColor
  }
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue.trim())
  const found = [...document.querySelectorAll('body *')]
    .filter((element) => element.checkVisibility() && element.tagName !== 'SCRIPT' && hasText(element))
    .map((element) => {
      const values = [luminance(getComputedStyle(element).color), luminance(groundOf(element))]
      return { ratio: (Math.max(...values) + 0.05) / (Math.min(...values) + 0.05), text: element.textContent }
    })
    .toSorted((one, other) => one.ratio - other.ratio)
  return found[0] ?? { ratio: 0, text: 'nothing to read' }
})()`
