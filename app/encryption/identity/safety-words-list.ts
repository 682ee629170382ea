/**
 * The words of a safety number, one for each byte: our own choice of short English nouns. No two
 * begin with the same four letters, so that a misheard word is noticed. In ascending order; must
 * never change.
 */
export const SAFETY_WORDS: readonly string[] = [
  "acorn actor agent album alley amber anchor angle apple april apron arch arrow aunt autumn avenue",
  "badge bagel baker balloon bamboo banjo barn basket beach beard beetle bell bench berry bicycle bishop",
  "blanket blossom boat bonfire bottle boulder branch bread bridge brush bubble bucket buffalo butter cabin cactus",
  "camera candle canoe canyon carpet carrot castle cedar cello chalk cherry chimney circus clay cliff clock",
  "clover cobweb coconut comet copper coral corner cotton cousin crane crayon cricket crown crystal cushion dagger",
  "daisy dancer desert diamond dinner doctor dolphin donkey dragon drawer drum dwarf eagle earth echo elbow",
  "elephant ember engine evening fabric falcon farmer feather fence ferry fiddle finger flag flute forest fossil",
  "fountain fox frog garden garlic gate giant ginger giraffe glacier glove goblet goose grape gravel guitar",
  "hammer harbor harp hazel hedge helmet herring hill honey horse hunter iceberg igloo insect island ivory",
  "jacket jaguar jelly jewel jigsaw jockey jungle kettle kitchen kite knight ladder lagoon lamp lantern laundry",
  "lemon leopard letter library lighthouse lion lizard lobster locket lotus magnet mango maple marble market meadow",
  "melon mirror monkey mosaic mountain mushroom napkin needle nephew nest nickel noodle nutmeg oasis ocean octopus",
  "olive onion orange orchard otter owl oyster paddle palace panda parrot peach pebble pencil pepper piano",
  "pigeon pillow pirate planet plum pocket pony poplar potato pumpkin puzzle quarry queen quilt rabbit radio",
  "raft rainbow raven ribbon river robin rocket rooster rope saddle sailor salad salmon sandal scarf school",
  "shadow shovel silver spider spoon sugar teapot thunder tiger tomato tower tulip umbrella violin walnut zebra",
].flatMap((line) => line.split(" "));
