"""How fast documents are embedded by a real encoder, beside onnxruntime as it comes.

all-MiniLM-L6-v2 and NFCorpus are read from the folder that `real_data.py` names; nothing is
measured if they are not there. Both are measured in documents per second of CPU time, and what is
promised is a ratio: machines differ, and other work keeps them busy. The peer runs 32 texts at a
time in the order of the corpus, with onnxruntime's own threads, and all pieces of each document.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from real_data import COLLECTIONS, reason_to_skip
from stacks.embedding import open_embedder

if TYPE_CHECKING:
    from collections.abc import Callable

MODEL = COLLECTIONS / "models" / "all-MiniLM-L6-v2"
CORPUS = COLLECTIONS / "nfcorpus" / "corpus.jsonl"
DOCUMENTS = 32
WORDS = 100
MOST_TOKENS = 256
BATCH = 32
LEAST_RATIO = 3.0


def read_pieces() -> list[list[str]]:
    """Read documents, each cut into its name and its text, a hundred words at a time."""
    documents = []
    with CORPUS.open() as lines:
        for line in islice(lines, DOCUMENTS):
            document = json.loads(line)
            words = document["text"].split()
            parts = [" ".join(words[n : n + WORDS]) for n in range(0, len(words), WORDS)]
            title = document["title"]
            documents.append([title, *(f"{title}. {part}" for part in parts)])
    return documents


def embed_plainly(texts: list[str]) -> None:
    """Embed texts as they come."""
    tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    tokenizer.enable_truncation(MOST_TOKENS)
    tokenizer.enable_padding()
    session = onnxruntime.InferenceSession(
        str(MODEL / "model.onnx"), providers=["CPUExecutionProvider"]
    )
    for start in range(0, len(texts), BATCH):
        encodings = tokenizer.encode_batch(texts[start : start + BATCH])
        ids = np.array([each.ids for each in encodings], dtype=np.int64)
        mask = np.array([each.attention_mask for each in encodings], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        session.run(None, inputs)


def measure(work: Callable[[], object]) -> float:
    """Return documents per second of CPU time."""
    began = time.process_time()
    work()
    return DOCUMENTS / (time.process_time() - began)


def main() -> int:
    """Print the rates; exit with 1 where the promise is not kept."""
    for path in (MODEL, CORPUS):
        if not path.exists():
            print(f"not measured: {reason_to_skip(str(path.relative_to(COLLECTIONS)))}")
            return 0
    documents = read_pieces()
    every = [piece for document in documents for piece in document]
    with open_embedder(f"onnx={MODEL}") as encoder, open_embedder("wordllama") as static:
        few = [piece for document in documents for piece in document[: encoder.most_pieces]]
        rates = {
            "onnxruntime as it comes, every piece": measure(lambda: embed_plainly(every)),
            "stacks, every piece": measure(lambda: encoder.embed_documents(every)),
            f"stacks, {encoder.most_pieces} pieces": measure(lambda: encoder.embed_documents(few)),
            "wordllama, every piece": measure(lambda: static.embed_documents(every)),
        }
    print(f"{DOCUMENTS} documents of NFCorpus in {len(every)} pieces, per second of CPU time")
    for name, rate in rates.items():
        print(f"{name:38}{rate:9.1f}")
    plain, _, own, _ = rates.values()
    kept = own >= LEAST_RATIO * plain
    verdict = "kept" if kept else "NOT KEPT"
    print(f"promised: {LEAST_RATIO:g} times as fast, got {own / plain:.1f}: {verdict}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
