import { createCanvas } from './canvas.ts'
import { writePng } from './write-png.ts'

/** Two rows of hills and a sun, in a sky of the given colour. */
export function drawLandscape(colour: string): Buffer {
  const canvas = createCanvas({ width: 640, height: 360 })
  canvas.ellipse(SUN, { x: 470, y: 95, across: 42, down: 42 })
  canvas.ellipse(FAR_HILLS, { x: 130, y: 400, across: 330, down: 190 })
  canvas.ellipse(FAR_HILLS, { x: 520, y: 420, across: 360, down: 240 })
  canvas.ellipse(NEAR_HILLS, { x: 300, y: 460, across: 420, down: 190 })
  canvas.ellipse(NEAR_HILLS, { x: 640, y: 450, across: 260, down: 150 })
  return writePng(canvas, [colour, ...PALETTE])
}

const PALETTE = ['ffe9a8', '5d8a66', '2f5d46']
const [SUN, FAR_HILLS, NEAR_HILLS] = [1, 2, 3] as const
