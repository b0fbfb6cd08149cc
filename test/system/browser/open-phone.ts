import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { obtainBinary } from '../../servers/obtain-binary.ts'

/** The pages are local and our own: Chromium needs no sandbox, and as root it cannot have one. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const CHROMIUM = {
  binaries: ['chromium', 'chromium-browser', 'google-chrome'],
  debianPackage: 'chromium',
  homebrewPackage: '--cask chromium',
}

/** Timeout of a launch, which installs a browser first if there is none. */
export const LAUNCH_TIMEOUT_MS = 660_000

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: obtainBinary(CHROMIUM), args: ARGUMENTS })
}

export interface Phone {
  page: Page
  /** Errors of the page, such as a violation of its policy. */
  complaints: string[]
  /** The addresses it asked for. */
  requests: string[]
}

/** A page on a small phone, closed with the test. */
export async function openPhone(browser: Browser, options: BrowserContextOptions = {}): Promise<Phone> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    ...options,
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  const requests: string[] = []
  page.on('console', (message) => void complaints.push(message.text()))
  page.on('pageerror', (error) => void complaints.push(error.message))
  page.on('request', (request) => void requests.push(request.url()))
  return { page, complaints, requests }
}
