"use strict";
// words.drawing
