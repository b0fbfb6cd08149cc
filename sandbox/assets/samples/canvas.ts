/** Paints flat shapes, each over what was there before, row by row: the gateway shares this thread. */
export interface Canvas {
  width: number
  height: number
  /** The number of each point's colour; 0 at first. */
  points: Uint8Array
  ellipse(colour: number, shape: Ellipse): void
  rectangle(colour: number, shape: { left: number; right: number; top: number; bottom: number }): void
}

export interface Ellipse {
  x: number
  y: number
  across: number
  down: number
  /** Only the part between these rows is painted. */
  top?: number
  bottom?: number
}

export function createCanvas({ width, height }: { width: number; height: number }): Canvas {
  const points = new Uint8Array(width * height)
  const fill = (colour: number, { y, left, right }: { y: number; left: number; right: number }) => {
    const row = y * width
    points.fill(colour, row + Math.max(0, Math.round(left)), row + Math.min(width, Math.round(right)))
  }
  return {
    width,
    height,
    points,
    ellipse(colour, { x, y: middle, across, down, top = 0, bottom = height }) {
      const last = Math.min(bottom, height, middle + down)
      for (let y = Math.max(top, 0, middle - down); y < last; y += 1) {
        const reach = across * Math.sqrt(1 - ((y - middle) / down) ** 2)
        fill(colour, { y, left: x - reach, right: x + reach })
      }
    },
    rectangle(colour, { left, right, top, bottom }) {
      for (let y = top; y < bottom; y += 1) fill(colour, { y, left, right })
    },
  }
}
