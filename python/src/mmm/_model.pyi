from typing import List, Tuple

def run(arguments: List[str]) -> Tuple[str, bool, List[str]]:
    """The text that mmm-explore prints for these arguments, whether its exit status would be 0, and its notes."""
