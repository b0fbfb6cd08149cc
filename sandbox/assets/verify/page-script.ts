/**
 * Plays the scan when the form is sent, then sends it. Without this script the form goes out at once, so the page
 * works either way. The texts stand in the page itself.
 */
export const PAGE_SCRIPT = `
const form = document.querySelector('form')
const scan = document.getElementById('scan')
const status = document.getElementById('status')
const progress = document.getElementById('progress')
const bar = document.getElementById('bar')
const cancel = document.getElementById('cancel')
const steps = [...document.querySelectorAll('#steps li')].map((item) => item.textContent)
const stepMs = Number(scan.dataset.stepMs)
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
let isEnding = false

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const ending = new FormData(form).get('ending')
  form.hidden = true
  scan.hidden = false
  scan.focus()
  play(ending)
})

cancel.addEventListener('click', () => {
  document.getElementById('ending-cancelled').checked = true
  finish('cancelled')
})

async function play(ending) {
  await wait(50)
  bar.style.transitionDuration = stepMs + 'ms'
  const stepsShown = ending === 'cancelled' ? 2 : steps.length
  for (let at = 0; at < stepsShown && !isEnding; at += 1) {
    status.textContent = steps[at]
    show(((at + 1) * 100) / steps.length)
    await wait(stepMs)
  }
  finish(ending)
}

function show(percent) {
  bar.style.strokeDashoffset = String(100 - percent)
  progress.setAttribute('aria-valuenow', String(percent))
}

async function finish(ending) {
  if (isEnding) return
  isEnding = true
  cancel.hidden = true
  document.body.dataset.result = ending === 'success' ? 'good' : 'bad'
  status.textContent = document.querySelector('#results [data-ending="' + ending + '"]').textContent
  await wait(stepMs)
  form.submit()
}

// A page that comes back from the browser's memory asks whether its link still works.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})
`
