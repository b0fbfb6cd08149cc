import { createCanvas } from './canvas.ts'
import { writePng } from './write-png.ts'

/** A friendly drawn face before a wall of the given colour; it shows no real person. */
export function drawPortrait(colour: string): Buffer {
  const canvas = createCanvas({ width: 480, height: 600 })
  canvas.ellipse(HAIR, { x: 240, y: 245, across: 140, down: 165 })
  canvas.ellipse(SHIRT, { x: 240, y: 620, across: 205, down: 160 })
  canvas.rectangle(SKIN, { left: 192, right: 288, top: 340, bottom: 490 })
  canvas.ellipse(SKIN, { x: 240, y: 275, across: 118, down: 145 })
  canvas.ellipse(HAIR, { x: 240, y: 235, across: 132, down: 140, bottom: 195 })
  for (const x of [195, 285]) {
    canvas.ellipse(WHITE, { x, y: 265, across: 22, down: 14 })
    canvas.ellipse(INK, { x, y: 265, across: 10, down: 12 })
  }
  canvas.ellipse(INK, { x: 240, y: 325, across: 60, down: 50, top: 345 })
  canvas.ellipse(SKIN, { x: 240, y: 325, across: 54, down: 43, top: 345 })
  return writePng(canvas, [colour, ...PALETTE])
}

const PALETTE = ['e8b690', '4a3228', '2f4b6e', '2b2320', 'ffffff']
const [SKIN, HAIR, SHIRT, INK, WHITE] = [1, 2, 3, 4, 5] as const
