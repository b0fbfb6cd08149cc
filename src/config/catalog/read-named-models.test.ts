import { expect, test } from 'vitest'
import { readCatalog } from '../../../test/catalog/read-catalog.ts'

test('a route names models, with weights or without', () => {
  const { entries, faults } = readCatalog(`models:
  - { model_id: 1, name: a/b, route: [{ model: a/c, weight: 2 }, a/d, { model: a/e }], route_by: price }
  - { model_id: 2, name: a/f, route: [] }
  - { model_id: 3, name: a/g }`)
  expect(faults).toEqual([])
  const route = [
    { model: 'a/c', weight: 2 },
    { model: 'a/d', weight: 1 },
    { model: 'a/e', weight: 1 },
  ]
  expect(entries).toMatchObject([
    { route, routeBy: 'price' },
    { route: [], routeBy: undefined },
    { route: undefined, routeBy: undefined },
  ])
})

test.each([
  [
    'models: [{ model_id: 1, name: a/b, fallbacks: a/c }]',
    'catalog.yaml:1:47 models.0.fallbacks: it is not a list. Write each item on a line of its own that begins with "- ", or all of them in [ ].',
  ],
  [
    'models: [{ model_id: 1, name: a/b, fallbacks: [a] }]',
    'catalog.yaml:1:48 models.0.fallbacks.0: "a" has no slash. Use a name of the form provider/model, such as vendorC/model-4.1.',
  ],
  [
    'models: [{ model_id: 1, name: a/b, fallbacks: [a/c, a/b] }]',
    'catalog.yaml:1:53 models.0.fallbacks.1: it is the model itself. Name another model.',
  ],
  [
    'models: [{ model_id: 1, name: a/b, fallbacks: [vendorA/gen-2.0] }]',
    'catalog.yaml:1:48 models.0.fallbacks.0: vendorA/gen-2.0 makes videos. Leave it out: only text models can replace each other.',
  ],
  [
    'models: [{ model_id: 1, name: vendorA/gen-2.0, fallbacks: [a/b] }]',
    'catalog.yaml:1:60 models.0.fallbacks.0: vendorA/gen-2.0 makes videos. Leave it out: only text models can replace each other.',
  ],
  [
    `models: [{ model_id: 1, name: a/b, fallbacks: [${[...'12345'].map((name) => `c/${name}`).join()}] }]`,
    'catalog.yaml:1:47 models.0.fallbacks: there are more than 4. Keep the best: they are tried one after another, while the client waits.',
  ],
  [
    'models: [{ model_id: 1, name: vendorA/gen-2.0, stand_ins: [vendorA/gen-2.0] }]',
    'catalog.yaml:1:60 models.0.stand_ins.0: it is the model itself. Name another model.',
  ],
  [
    'models: [{ model_id: 1, name: vendorA/gen-2.0, stand_ins: [a] }]',
    'catalog.yaml:1:60 models.0.stand_ins.0: "a" has no slash. Use a name of the form provider/model, such as vendorC/model-4.1.',
  ],
  [
    'models: [{ model_id: 1, name: a/b, route: a/c }]',
    'catalog.yaml:1:43 models.0.route: it is not a list. Write each item on a line of its own that begins with "- ", or all of them in [ ].',
  ],
  [
    'models: [{ model_id: 1, name: a/b, route: [a] }]',
    'catalog.yaml:1:44 models.0.route.0.model: "a" has no slash. Use a name of the form provider/model, such as vendorC/model-4.1.',
  ],
  [
    'models: [{ model_id: 1, name: a/b, route: [{ weight: 1 }] }]',
    'catalog.yaml:1:44 models.0.route.0.model: it is missing. Use a name of the form provider/model, such as vendorC/model-4.1.',
  ],
  [
    'models: [{ model_id: 1, name: a/b, route: [{ model: a/c, wait: 1 }] }]',
    'catalog.yaml:1:64 models.0.route.0.wait: it is not a known key. The keys here are model, weight.',
  ],
  [
    'models: [{ model_id: 1, name: a/b, route: [{ model: a/c, weight: 0.5 }] }]',
    'catalog.yaml:1:66 models.0.route.0.weight: "0.5" is not a whole number in plain digits. Use a whole number from 0 to 1000000.',
  ],
  [
    'models: [{ model_id: 1, name: a/b, route: [{ model: a/c, weight: 0 }, { model: a/d, weight: 0 }] }]',
    'catalog.yaml:1:43 models.0.route: every weight is 0. Give at least one target a weight of 1 or more; a target of weight 0 serves only while the others fail.',
  ],
  [
    'models: [{ model_id: 1, name: a/b, route: [{ model: a/b }] }]',
    'catalog.yaml:1:53 models.0.route.0.model: it is the model itself. Name another model.',
  ],
  [
    'models: [{ model_id: 1, name: a/b, route: [vendorA/gen-2.0] }]',
    'catalog.yaml:1:44 models.0.route.0: vendorA/gen-2.0 makes videos. Leave it out: only text models can replace each other.',
  ],
  [
    'models: [{ model_id: 1, name: vendorA/gen-2.0, route: [a/b] }]',
    'catalog.yaml:1:56 models.0.route.0: vendorA/gen-2.0 makes videos. Leave it out: only text models can replace each other.',
  ],
  [
    `models: [{ model_id: 1, name: a/b, route: [${[...'123456789'].map((name) => `c/${name}`).join()}] }]`,
    'catalog.yaml:1:43 models.0.route: there are more than 8. Keep the best: while they fail they are tried one after another, and the client waits.',
  ],
  [
    'models: [{ model_id: 1, name: a/b, route_by: luck }]',
    'catalog.yaml:1:46 models.0.route_by: "luck" is not one of the known words. Use one of weight, latency, price.',
  ],
  [
    'models: [{ model_id: 1, name: a/b, route: [a/c, a/d, { model: a/c, weight: 2 }] }]',
    'catalog.yaml:1:54 models.0.route.2: it repeats catalog.yaml:1:44 models.0.route.0: a/c. Take one of the two out, or correct it.',
  ],
])('faults of fallbacks and routes have the position and the correction: %s', (source, message) => {
  expect(readCatalog(source).faults).toEqual([message])
})
